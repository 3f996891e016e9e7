"""The conversation, instrumented by OpenInference."""
from conversation import client, converse
from openinference.instrumentation import OITracer, TraceConfig
from openinference.instrumentation.openai import OpenAIInstrumentor
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor

provider = TracerProvider()
provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
OpenAIInstrumentor().instrument(tracer_provider=provider)
tracer = OITracer(provider.get_tracer("weather"), config=TraceConfig())


@tracer.tool(name="get_weather")
def get_weather(city: str) -> dict:
    return {"city": city, "celsius": 19}


@tracer.agent(name="weather")
def run(question: str) -> str:
    return converse(client(), get_weather)


print(run("What is the weather in Lima?"))
provider.shutdown()
