// Everything over one WebSocket: queries, the order, and two subscriptions that go on after a lost connection.
import { createClient } from 'graphql-ws';

const at = (id) => document.getElementById(id);
let client;

at('sign-in').addEventListener('submit', (event) => {
  event.preventDefault();
  client?.dispose();
  client = createClient({
    url: at('gateway').value.replace(/^http/, 'ws'),
    // The key stays in this page's memory.
    connectionParams: { authorization: `Bearer ${at('key').value}` },
    retryAttempts: Number.POSITIVE_INFINITY,
    retryWait: () => new Promise((resolve) => setTimeout(resolve, 1_000)),
    // 4403: the key is not good. Everything else may be better in a moment.
    shouldRetry: (problem) => problem?.code !== 4403,
    on: {
      connected: () => say('connected'),
      closed: (closing) => say(closing.code === 4403 ? 'the key is not good' : 'connecting again …'),
    },
  });
  at('order').hidden = false;
  void search();
});

at('search').addEventListener('input', search);

async function search() {
  const { catalogProducts } = await ask(
    `query ($filter: CatalogFilter) {
      catalogProducts(filter: $filter, first: 20) { nodes { id catalogProductId name price available } }
    }`,
    { filter: { orderable: true, search: at('search').value || null } },
  );
  at('offers').replaceChildren(
    ...catalogProducts.nodes.map(({ catalogProductId, name, price, available }) => {
      const option = new Option(`${name}: ${price} rupiah, ${available} in stock`, catalogProductId);
      option.dataset.price = price;
      return option;
    }),
  );
  at('offers').selectedIndex = 0;
}

at('order').addEventListener('submit', async (event) => {
  event.preventDefault();
  const [offer] = at('offers').selectedOptions;
  // Made once for this press of the button: a repetition after an error is the same order, and not a second one.
  const businessJobId = crypto.randomUUID();
  const { createOrder } = await ask(
    `mutation ($input: CreateOrderInput!) {
      createOrder(input: $input) {
        __typename
        ... on CreateOrderResolved { orders { id } }
        ... on CreateOrderPendingAssignment { orders { id } }
        ... on CreateOrderNotSent { notSent: reason }
      }
    }`,
    {
      input: {
        businessJobId,
        catalogProductId: Number(offer.value),
        maxUnitPrice: Number(offer.dataset.price),
      },
    },
  );
  at('outcome').value = createOrder.notSent ?? createOrder.__typename;
  const [order] = createOrder.orders ?? [];
  if (order !== undefined) show(order.id);
});

function show(orderId) {
  at('order-shown').hidden = false;
  at('code').value = '';
  at('messages').replaceChildren();
  let afterRevision = -1;
  follow(
    `subscription ($orderId: ID!) { orderChanged(orderId: $orderId) { phoneNumber status canCancel canFinish } }`,
    () => ({ orderId }),
    ({ orderChanged: order }) => {
      at('number').textContent = order.phoneNumber ?? 'the number follows …';
      at('status').textContent = order.status;
      at('cancel').disabled = !order.canCancel;
      at('finish').disabled = !order.canFinish;
    },
  );
  follow(
    `subscription ($orderId: ID!, $afterRevision: Int!) {
      smsReceived(orderId: $orderId, afterRevision: $afterRevision) { revision message suggestedCode }
    }`,
    // Asked at each connect: behind the last message that was shown.
    () => ({ orderId, afterRevision }),
    ({ smsReceived: { revision, message, suggestedCode } }) => {
      afterRevision = revision;
      if (suggestedCode !== null) at('code').value = suggestedCode;
      const item = document.createElement('li');
      // Text, never HTML: strangers write these.
      item.textContent = message;
      at('messages').append(item);
    },
  );
  at('cancel').onclick = () =>
    ask('mutation ($orderId: ID!) { cancelOrder(orderId: $orderId) { __typename } }', { orderId });
  at('finish').onclick = () =>
    ask('mutation ($orderId: ID!) { finishOrder(orderId: $orderId) { __typename } }', { orderId });
}

/** After a lost connection the library sends it again. That is safe here: a job is one order, and actions read first. */
function ask(query, variables) {
  return new Promise((resolve, reject) => {
    // A list: errors of the graph. Anything else is the connection's end, of which the state tells already.
    const fail = (problem) => {
      if (Array.isArray(problem)) say(problem[0].message);
      reject(problem);
    };
    client.subscribe(
      { query, variables },
      {
        next: ({ data, errors }) => (errors === undefined ? resolve(data) : fail(errors)),
        error: fail,
        complete: () => undefined,
      },
    );
  });
}

function follow(query, variables, next) {
  const request = {
    query,
    get variables() {
      return variables();
    },
  };
  client.subscribe(request, {
    next: ({ data }) => next(data),
    error: (problem) => Array.isArray(problem) && say(problem[0].message),
    complete: () => undefined,
  });
}

function say(text) {
  at('state').textContent = text;
}
