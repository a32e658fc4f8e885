import { writeFileSync } from 'node:fs';
import process from 'node:process';
import { context, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';

/** Loaded before a process by NODE_OPTIONS=--import: when it ends, its spans are in the file TRACE_FILE. */
const exporter = new InMemorySpanExporter();
context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }));
process.on('exit', () => {
  const spans = exporter.getFinishedSpans().map((span) => {
    const { name, attributes, status, parentSpanContext } = span;
    const [id, parent] = [span.spanContext().spanId, parentSpanContext?.spanId ?? null];
    return { name, attributes, status: status.code, id, parent };
  });
  writeFileSync(process.env.TRACE_FILE ?? '', JSON.stringify(spans));
});
