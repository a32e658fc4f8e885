import { AsyncLocalStorage } from 'node:async_hooks';
import { onTestFinished, type TestContext, test } from 'vitest';

const running = new AsyncLocalStorage<TestContext>();

/** A test that waits most of its time, and runs beside the others of its file. What it starts is ended with it. */
export function testBeside(name: string, work: () => Promise<void>): void {
  test.concurrent(name, (context) => running.run(context, work));
}

/** At the end of the test that asks. Vitest's own hook takes the test for it that began last. */
export function atEnd(work: () => unknown): void {
  const context = running.getStore();
  const end = async (): Promise<void> => void (await work());
  if (context) context.onTestFinished(end);
  else onTestFinished(end);
}
