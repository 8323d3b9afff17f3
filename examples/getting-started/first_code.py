"""Orders a number and prints the code of its SMS. Python's standard library alone: queries by POST, messages by SSE."""

import json
import os
import sys
import time
import urllib.request

URL = os.environ.get("SWITCHBOARD_URL", "http://127.0.0.1:4000/graphql")
KEY = os.environ.get("SWITCHBOARD_KEY") or open("data/sandbox.key").read().strip()


def post(query, variables, accept):
    body = json.dumps({"query": query, "variables": variables}).encode()
    headers = {"authorization": f"Bearer {KEY}", "content-type": "application/json", "accept": accept}
    # Pings come every twelve seconds: silence for longer than this is a connection that is gone.
    return urllib.request.urlopen(urllib.request.Request(URL, body, headers), timeout=60)


def data_of(answer):
    if answer.get("errors"):
        sys.exit(answer["errors"][0]["message"])
    return answer["data"]


def ask(query, variables):
    with post(query, variables, "application/json") as response:
        return data_of(json.load(response))


def follow(query, variables):
    """Yields what a subscription sends; returns when the gateway says that nothing more will come."""
    with post(query, variables, "text/event-stream") as response:
        event = None
        for line in response:
            name, _, value = line.decode().rstrip("\n").partition(": ")
            if name == "event":
                event = value
            elif name == "data" and event == "next":
                yield data_of(json.loads(value))
            elif name == "" and event == "complete":
                return


job = sys.argv[1] if len(sys.argv) > 1 else f"first-code-{time.time_ns()}"
outcome = ask(
    """mutation ($input: CreateOrderInput!) {
      createOrder(input: $input) {
        __typename
        ... on CreateOrderResolved { orders { id phoneNumber amount } }
        ... on CreateOrderPendingAssignment { orders { id phoneNumber amount } }
      }
    }""",
    # The job's own name: asked for again under it, it is the same order, and charged once.
    {"input": {"businessJobId": job, "catalogProductId": 6136}},
)["createOrder"]
if not outcome.get("orders"):
    sys.exit(f"no number: {outcome['__typename']}")
order = outcome["orders"][0]
print(f"order {order['id']}: {order['phoneNumber']}, for {order['amount']} rupiah", flush=True)

messages = follow(
    """subscription ($order: ID!) {
      smsReceived(orderId: $order) { revision message suggestedCode }
    }""",
    {"order": order["id"]},
)
for message in messages:
    sms = message["smsReceived"]
    print(sms["message"], flush=True)
    if sms["suggestedCode"] is not None:
        print(f"the code is {sms['suggestedCode']}")
        break
    print("no code in it: waiting for another message, until the order ends", flush=True)
