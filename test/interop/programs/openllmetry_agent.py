"""The conversation, instrumented by OpenLLMetry, over gRPC."""
from conversation import client, converse
from opentelemetry.exporter.otlp.proto.grpc.trace_exporter import OTLPSpanExporter
from opentelemetry.instrumentation.openai import OpenAIInstrumentor
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor

provider = TracerProvider()
provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
OpenAIInstrumentor().instrument(tracer_provider=provider)
tracer = provider.get_tracer("weather")


def get_weather(city: str) -> dict:
    tool = {"traceloop.span.kind": "tool", "traceloop.entity.name": "get_weather"}
    with tracer.start_as_current_span("get_weather.tool", attributes=tool):
        return {"city": city, "celsius": 19}


workflow = {"traceloop.span.kind": "workflow", "traceloop.entity.name": "weather"}
with tracer.start_as_current_span("weather.workflow", attributes=workflow):
    print(converse(client(), get_weather))
provider.shutdown()
