import type { Tracer } from '../ports/tracer.ts';
import type { Http } from './http.ts';

/** Each call in a span of its own, with what came of it. */
export function tracedHttp(http: Http, tracer: Tracer): Http {
  return {
    call: (call) =>
      tracer.span(`upstream ${call.operation}`, { 'http.request.method': call.method }, async (note) => {
        const result = await http.call(call);
        note(
          result.kind === 'answer'
            ? { 'http.response.status_code': result.status }
            : { 'error.type': result.why },
        );
        return result;
      }),
    close: () => http.close(),
  };
}
