import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Depth, stepsOf } from './support/depth.ts';
import { type CrashWorld, eventually, openWorld, sign } from './support/world.ts';

const CREATE = `mutation ($product: Int!) {
  createOrder(input: { businessJobId: "written to", catalogProductId: $product }) {
    ... on CreateOrderResolved { orders { id } }
  }
}`;
const LOOK = `query ($id: ID!) { order(id: $id) { smsRevision smsRevisions { revision message source } } }`;

/** What was answered 2xx is surfaced exactly once, whatever dies; what was not, when it comes again. */
export function crashesOfWebhooks(depth: Depth): void {
  let world: CrashWorld;
  let orderId = '';
  let revision = 0;

  beforeAll(async () => {
    world = await openWorld();
    const created = await world.ask(CREATE, { product: world.product });
    orderId = created.data.createOrder.orders[0].id;
  });
  afterAll(() => world.close());

  function nextEvent(): string {
    revision += 1;
    const data = { order_id: Number(orderId), sms_revision: revision, otp_message: `message ${revision}` };
    return JSON.stringify({ event: 'order.otp_received', timestamp: new Date().toISOString(), data });
  }
  const post = (body: string) => world.gateway.post(body, sign(body));

  async function expectAllOnce(): Promise<void> {
    const expected = Array.from({ length: revision }, (_, at) => ({
      revision: at + 1,
      message: `message ${at + 1}`,
      source: 'WEBHOOK',
    }));
    await eventually(async () => (await world.ask(LOOK, { id: orderId })).data.order).toEqual({
      smsRevision: revision,
      smsRevisions: expected,
    });
    // To a subscriber too: one that resumes behind the first, and one that begins.
    expect(await heard(revision, 0)).toEqual(expected.map((message) => message.revision));
    expect(await heard(revision - 1, 1)).toEqual(expected.slice(1).map((message) => message.revision));
  }

  /** The revisions that a subscriber gets: so many, and whatever else comes in the time it takes to see that nothing does. */
  async function heard(count: number, after: number): Promise<number[]> {
    const controller = new AbortController();
    const query = `subscription { smsReceived(orderId: "${orderId}", afterRevision: ${after}) { revision } }`;
    const response = await fetch(`${world.gateway.url}/graphql`, {
      method: 'POST',
      signal: controller.signal,
      headers: {
        'content-type': 'application/json',
        accept: 'text/event-stream',
        authorization: `Bearer ${world.key}`,
      },
      body: JSON.stringify({ query }),
    });
    const revisions: number[] = [];
    let text = '';
    const decoder = new TextDecoder();
    const reading = (async () => {
      for await (const part of response.body ?? []) {
        text += decoder.decode(part, { stream: true });
        revisions.splice(0);
        for (const [, found] of text.matchAll(/"revision":(\d+)/g)) revisions.push(Number(found));
      }
    })().catch(() => undefined);
    await eventually(() => revisions.length).toBeGreaterThanOrEqual(count);
    await new Promise((resolve) => setTimeout(resolve, 100));
    controller.abort();
    await reading;
    return revisions;
  }

  test('killed before it is stored: no answer, and the provider sends it again', async () => {
    const body = nextEvent();
    let status: unknown = 'none yet';
    await world.dieAt('store.inbox.insert:before', async () => {
      status = await post(body);
    });
    expect(status).toBeNull();
    await world.comeBack(0);
    expect((await world.ask(LOOK, { id: orderId })).data.order.smsRevisions).toEqual([]);
    expect(await post(body)).toBe(200);
    await expectAllOnce();
  });

  test('killed while another holds the file: what could not be stored was not answered', async () => {
    const body = nextEvent();
    const letGo = world.holdDatabase();
    const posting = post(body);
    await new Promise((resolve) => setTimeout(resolve, 500));
    world.gateway.signal('SIGKILL');
    expect(await posting).toBeNull();
    letGo();
    await world.comeBack(0);
    expect(await post(body)).toBe(200);
    await expectAllOnce();
  });

  test('killed between the insert and the answer: what comes again is a duplicate', async () => {
    const body = nextEvent();
    await world.dieAt('store.inbox.insert:after', () => post(body));
    await world.comeBack(0);
    await expectAllOnce();
    expect(await post(body)).toBe(200);
    await expectAllOnce();
  });

  const steps = stepsOf(
    depth,
    ['store.inbox.apply:before'],
    ['store.inbox.pending:after', 'store.inbox.apply:after'],
  );
  test.each(steps)(
    'answered, and killed at %s: surfaced once, though nobody sends it again',
    async (point) => {
      const body = nextEvent();
      await world.dieAt(point, () => post(body));
      await world.comeBack(0);
      await expectAllOnce();
    },
  );

  test('killed in the middle of a heap of them', async () => {
    const bodies = Array.from({ length: 40 }, nextEvent);
    const statuses: (number | null)[] = [];
    await world.dieAt('store.inbox.apply:before#2', async () => {
      for (const body of bodies) {
        const status = await post(body);
        statuses.push(status);
        if (status === null) return;
      }
    });
    expect(statuses).toContain(200);
    await world.comeBack(0);
    // The provider goes on with what was not answered, and repeats some that was.
    for (const body of bodies.slice(statuses.indexOf(null) - 1)) expect(await post(body)).toBe(200);
    await expectAllOnce();
  });

  if (depth === 'main') return;
  test('killed while it works them off at its start', async () => {
    const body = nextEvent();
    await world.dieAt('store.inbox.insert:after', () => post(body));
    await world.comeBackAndDieAt('store.inbox.apply:before', 0);
    await world.comeBackAndDieAt('store.inbox.apply:after', 0);
    await world.comeBack(0);
    await expectAllOnce();
  });

  test('a receiver that was dead gets the event by the retry of the provider', async () => {
    const webhookTo = (url: string) =>
      fetch(`http://127.0.0.1:${world.tap.port}/v1/webhook`, {
        method: 'PATCH',
        headers: { authorization: 'Bearer sandbox-token', 'content-type': 'application/json' },
        body: JSON.stringify({ webhook_url: `${url}/webhooks/smscode`, webhook_secret: 'sandbox-secret' }),
      });
    await world.control('settings', { webhook_retry_seconds: Array.from({ length: 9 }, () => 1) });
    const { port } = new URL(world.gateway.url);
    await webhookTo(world.gateway.url);
    // The order counts by itself in the provider's world; this is its first message there.
    const created = await world.ask(CREATE.replace('written to', 'written to by retry'), {
      product: world.product,
    });
    const id = created.data.createOrder.orders[0].id;
    await world.dieAt('store.inbox.insert:before', async () => {
      await world.control('sms', { order_id: Number(id), message: 'the first text' });
      await world.gateway.ended;
    });
    await world.comeBack(0, { env: { PORT: port } });
    await eventually(async () => (await world.ask(LOOK, { id })).data.order.smsRevisions).toEqual([
      { revision: 1, message: 'the first text', source: 'WEBHOOK' },
    ]);
  });
}
