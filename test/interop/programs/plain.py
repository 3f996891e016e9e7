"""Spans of one's own after the GenAI conventions, over the exporter that the first argument names: http or grpc."""
import json
import sys

from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor

if sys.argv[1] == "grpc":
    from opentelemetry.exporter.otlp.proto.grpc.trace_exporter import OTLPSpanExporter
else:
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter

provider = TracerProvider()
provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
tracer = provider.get_tracer("trip-planner", "1.0")

agent = {"gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": "planner", "gen_ai.conversation.id": "talk-1"}
chat = {
    "gen_ai.operation.name": "chat",
    "gen_ai.provider.name": "openai",
    "gen_ai.request.model": "scripted",
    "gen_ai.input.messages": json.dumps([{"role": "user", "parts": [{"type": "text", "content": "What is the weather in Lima?"}]}]),
    "gen_ai.output.messages": json.dumps([{"role": "assistant", "parts": [{"type": "text", "content": "Mild: 19 °C."}]}]),
    "gen_ai.usage.input_tokens": 31,
    "gen_ai.usage.output_tokens": 11,
}
tool = {
    "gen_ai.operation.name": "execute_tool",
    "gen_ai.tool.name": "get_weather",
    "gen_ai.tool.call.id": "call-1",
    "gen_ai.tool.call.arguments": json.dumps({"city": "Lima"}),
}
with tracer.start_as_current_span("invoke_agent planner", attributes=agent):
    with tracer.start_as_current_span("execute_tool get_weather", attributes=tool):
        try:
            with tracer.start_as_current_span("lookup"):
                raise ValueError("no such city")
        except ValueError:
            pass
    with tracer.start_as_current_span("chat scripted", attributes=chat):
        pass
provider.shutdown()
