import { SpanStatusCode, trace } from '@opentelemetry/api';
import type { Tracer } from './ports/tracer.ts';

/**
 * Spans by the OpenTelemetry API alone: where no SDK is loaded (`node --import`), it does nothing, and costs as much.
 */
export const otelTracer: Tracer = {
  span: (name, fields, work) =>
    trace.getTracer('switchboard').startActiveSpan(name, { attributes: fields }, async (span) => {
      try {
        return await work((more) => span.setAttributes(more));
      } catch (error) {
        // By name alone: an error's text may hold what must not leave the process.
        span.setStatus({
          code: SpanStatusCode.ERROR,
          message: error instanceof Error ? error.name : 'thrown',
        });
        throw error;
      } finally {
        span.end();
      }
    }),
};
