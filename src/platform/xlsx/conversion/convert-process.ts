import process from 'node:process';
import { buffer } from 'node:stream/consumers';
import { isMainThread, parentPort, workerData } from 'node:worker_threads';
import { machineClock } from '../../machine.ts';
import { startThread } from '../../own-program.ts';
import {
  CONVERSION_FAULTS,
  ConversionError,
  type ConversionFault,
  FIRST_FAULT_EXIT,
  type ForeignKind,
  type Limits,
} from './kinds.ts';

/**
 * The process converts one spreadsheet, from its standard input to its standard output. The work is in a thread of its own,
 * so that this one can end the process at its limits whatever the work does.
 */
async function serve(): Promise<void> {
  const [kind, limitsText = ''] = process.argv.slice(2);
  const limits = JSON.parse(limitsText) as Limits;
  const bytes = await buffer(process.stdin);
  const worker = startThread(import.meta.filename, {
    workerData: { kind, bytes },
    resourceLimits: { maxOldGenerationSizeMb: limits.memoryMb },
  });
  worker.on('message', (answer: Uint8Array | ConversionFault) => {
    if (typeof answer === 'string') end(answer);
    else process.stdout.write(answer, () => process.exit(0));
  });
  // Its memory is full: what else goes wrong is a message.
  worker.on('error', () => end('spreadsheet_too_large'));
  await watch(limits);
  end('spreadsheet_too_large');
}

function end(fault: ConversionFault): never {
  process.exit(FIRST_FAULT_EXIT + CONVERSION_FAULTS.indexOf(fault));
}

const LOOK_MS = 50;
const MIB = 1_048_576;

/** Resolves at a limit. Buffers are not on V8's heap. */
async function watch({ memoryMb, timeMs }: Limits): Promise<void> {
  const mostBytes = memoryMb * MIB * 2;
  const end = machineClock.monotonicMs() + timeMs;
  while (process.memoryUsage.rss() <= mostBytes && machineClock.monotonicMs() < end) await machineClock.sleep(LOOK_MS);
}

async function work(): Promise<void> {
  const { kind, bytes } = workerData as { kind: ForeignKind; bytes: Uint8Array };
  try {
    parentPort?.postMessage(await converted(kind, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)));
  } catch (error) {
    // The libraries throw anything at a damaged file.
    parentPort?.postMessage(error instanceof ConversionError ? error.code : 'workbook_damaged');
  }
}

async function converted(kind: ForeignKind, bytes: Buffer): Promise<Uint8Array> {
  switch (kind) {
    case 'old_workbook':
      return (await import('./old-workbook.ts')).oldWorkbookToXlsx(bytes);
    case 'open_document':
      return (await import('./open-document.ts')).openDocumentToXlsx(bytes);
    case 'web_page':
      return (await import('./web-page.ts')).webPageToXlsx(bytes.toString('utf8'));
  }
}

if (isMainThread) await serve();
else await work();
