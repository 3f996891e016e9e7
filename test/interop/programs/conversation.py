"""A conversation with the scripted model: it asks for a tool, gets the answer, and speaks; streamed the second time."""
import json
import os

from openai import OpenAI

TOOLS = [
    {
        "type": "function",
        "function": {
            "name": "get_weather",
            "description": "The weather of a city.",
            "parameters": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
        },
    }
]


def client() -> OpenAI:
    return OpenAI(base_url=os.environ["MODEL_URL"], api_key="none", max_retries=0)


def converse(openai: OpenAI, get_weather) -> str:
    messages = [{"role": "user", "content": "What is the weather in Lima?"}]
    first = openai.chat.completions.create(model="scripted", messages=messages, tools=TOOLS).choices[0].message
    call = first.tool_calls[0]
    weather = get_weather(**json.loads(call.function.arguments))
    messages += [first, {"role": "tool", "tool_call_id": call.id, "content": json.dumps(weather)}]
    stream = openai.chat.completions.create(
        model="scripted", messages=messages, tools=TOOLS, stream=True, stream_options={"include_usage": True}
    )
    return "".join(chunk.choices[0].delta.content or "" for chunk in stream if chunk.choices)
