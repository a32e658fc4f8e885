import { answer } from './hostile-server.ts';
import { type Exchange, type Fate, pass, writeSlowly } from './tcp-proxy.ts';

/**
 * Everything that a network and what stands in it may do to one request, by name. `effect` says whether the service has
 * carried the request out by the time the runner notices; `answered`, whether the runner gets the service's own answer.
 */
export type NamedFate = { name: string; effect: boolean; answered?: boolean; fate: Fate };

const HTML = '<html><head><title>502 Bad Gateway</title></head><body>nginx</body></html>';

/** The answer is not the service's, and the request was carried out or not. */
function instead(text: (exchange: Exchange) => string): { after: Fate; before: Fate } {
  return {
    async after(exchange) {
      await exchange.deliver();
      exchange.socket.write(text(exchange));
    },
    async before(exchange) {
      exchange.socket.write(text(exchange));
    },
  };
}

const misdirected = instead(() => answer(421, ''));
const toItself = (status: number) => instead(({ operation }) => answer(status, '', { location: `/v1/${operation}` }));
const elsewhere = (status: number, url: string) =>
  instead(({ operation }) => answer(status, '', { location: `${url}/v1/${operation}` }));
const gateway = instead(() => answer(502, HTML, { 'content-type': 'text/html' }));
const failure = (status: number) =>
  instead(() => answer(status, '{"error":{"code":"INTERNAL_SERVER_ERROR","message":"try again"}}'));
const broken = instead(() => answer(200, '{"data":"txn_01'));
const portal = instead(() => answer(200, '<html>Log in to the hotel</html>', { 'content-type': 'text/html' }));

/** `otherUrl`: a server that nobody was told to talk to, where redirects lead. */
export function everyFate(otherUrl: string): NamedFate[] {
  return [
    { name: 'reset before it is passed on', effect: false, fate: resetRequest },
    { name: 'ended before it is passed on', effect: false, fate: async ({ socket }) => void socket.end() },
    { name: 'reset after it was passed on', effect: true, fate: resetAnswer },
    { name: 'half closed after it was passed on', effect: true, fate: endAnswer },
    { name: 'held until nobody waits for it', effect: false, fate: heldRequest },
    { name: 'the answer is held until nobody waits for it', effect: true, fate: heldAnswer },
    { name: 'the answer is cut in its head', effect: true, fate: cutAt((bytes) => bytes.indexOf('\r\n') + 5) },
    { name: 'the answer is cut in its body', effect: true, fate: cutAt((bytes) => bytes.length - 4) },
    { name: 'the answer is reset in its body', effect: true, fate: cutAt((bytes) => bytes.length - 4, true) },
    { name: '421 and no effect', effect: false, fate: misdirected.before },
    { name: '421 after the effect', effect: true, fate: misdirected.after },
    { name: '307 to itself', effect: true, fate: toItself(307).after },
    { name: '308 to itself and no effect', effect: false, fate: toItself(308).before },
    { name: '307 to elsewhere', effect: false, fate: elsewhere(307, otherUrl).before },
    { name: '308 to elsewhere', effect: true, fate: elsewhere(308, otherUrl).after },
    { name: 'a 502 of HTML after the effect', effect: true, fate: gateway.after },
    { name: 'a 500 after the effect', effect: true, fate: failure(500).after },
    { name: 'a 503 after the effect', effect: true, fate: failure(503).after },
    { name: 'a 504 after the effect', effect: true, fate: failure(504).after },
    { name: 'a 500 and no effect', effect: false, fate: failure(500).before },
    { name: 'a 200 whose JSON ends early', effect: true, fate: broken.after },
    { name: 'a 200 of HTML and no effect', effect: false, fate: portal.before },
    { name: 'delivered twice, the second answered', effect: true, fate: twice((_, second) => second) },
    { name: 'delivered twice, the first answered', effect: true, answered: true, fate: twice((first) => first) },
    { name: 'the request in single bytes', effect: true, answered: true, fate: slicedRequest(1) },
    { name: 'the request in slices of 7', effect: true, answered: true, fate: slicedRequest(7) },
    { name: 'the answer in single bytes', effect: true, answered: true, fate: slicedAnswer },
    { name: 'answered, and the connection reset', effect: true, answered: true, fate: thenReset },
    { name: 'answered, and the connection ended', effect: true, answered: true, fate: thenEnd },
  ];
}

/** Every copy of the operation's intents from the `first`th to the `last`th meets the fate; everything else passes. */
export function always(operation: string, fate: Fate, first: number, last: number): (exchange: Exchange) => Fate {
  const places = new Map<string, number>();
  return (exchange) => {
    if (exchange.operation !== operation) return pass;
    const place = places.get(exchange.intent) ?? places.size + 1;
    places.set(exchange.intent, place);
    return place >= first && place <= last ? fate : pass;
  };
}

/** Each new intent of the operation meets the next of these; everything else passes, the intent's later copies too. */
export function oneAfterTheOther(operation: string, fates: Fate[]): (exchange: Exchange) => Fate {
  const met = new Map<string, Fate>();
  return (exchange) => {
    if (exchange.operation !== operation || met.has(exchange.intent)) return pass;
    const fate = fates[met.size] ?? pass;
    met.set(exchange.intent, fate);
    return fate;
  };
}

export const resetRequest: Fate = async ({ socket }) => void socket.resetAndDestroy();

const resetAnswer: Fate = async ({ deliver, socket }) => {
  await deliver();
  socket.resetAndDestroy();
};

const endAnswer: Fate = async ({ deliver, socket }) => {
  await deliver();
  socket.end();
};

/** The runner gives it up after its deadline; only then does the network let go of it. */
const heldRequest: Fate = async ({ deliver, gone }) => {
  await gone;
  await deliver();
};

const heldAnswer: Fate = async ({ deliver, gone }) => {
  await deliver();
  await gone;
};

function cutAt(place: (bytes: Buffer) => number, isReset = false): Fate {
  return async ({ deliver, socket }) => {
    const bytes = await deliver();
    await writeSlowly(socket, [bytes.subarray(0, place(bytes))]);
    if (isReset) socket.resetAndDestroy();
    else socket.end();
  };
}

function twice(choose: (first: Buffer, second: Buffer) => Buffer): Fate {
  return async ({ deliver, socket }) => {
    const first = await deliver();
    socket.write(choose(first, await deliver()));
  };
}

function slicedRequest(size: number): Fate {
  return async ({ deliver, socket }) => {
    socket.write(await deliver((bytes) => slices(bytes, size)));
  };
}

const slicedAnswer: Fate = async ({ deliver, socket }) => {
  await writeSlowly(socket, slices(await deliver(), 1));
};

/** The next request may be on its way over the same connection by now. */
const thenReset: Fate = async ({ deliver, socket }) => {
  await writeSlowly(socket, [await deliver()]);
  socket.resetAndDestroy();
};

const thenEnd: Fate = async ({ deliver, socket }) => {
  socket.end(await deliver());
};

function slices(bytes: Buffer, size: number): Buffer[] {
  const count = Math.ceil(bytes.length / size);
  return Array.from({ length: count }, (_, at) => bytes.subarray(at * size, (at + 1) * size));
}
