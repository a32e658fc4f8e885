import { temporaryFolder } from '../../support/payrun.ts';
import { realTasks } from '../real-tasks.ts';
import { pageAtPort } from '../served.ts';
import type { TestPage } from '../web-page.ts';

/** The page in the process of the tests, in its own time, over data of its own. What it has done is done in real processes. */
export async function openHere(): Promise<{ url: string; firstUserUrl: string | null }> {
  const page: TestPage = await pageAtPort({ isReal: true, tasks: realTasks(() => page.dataDir, temporaryFolder()) });
  return { url: page.origin, firstUserUrl: await page.firstUserLink() };
}
