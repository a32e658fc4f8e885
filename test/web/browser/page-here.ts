import { temporaryFolder } from '../../support/payrun.ts';
import { realTasks } from '../real-tasks.ts';
import { pageAtPort } from '../served.ts';
import type { PageOptions, TestPage } from '../web-page.ts';

/** The page in the process of the tests, in its own time, over data of its own. What it has done is done in real processes. */
export async function openHere(more: PageOptions = {}): Promise<{ url: string; firstUserUrl: string | null }> {
  const tasks = realTasks(() => page.dataDir, temporaryFolder());
  const page: TestPage = await pageAtPort({ isReal: true, tasks, ...more });
  return { url: page.origin, firstUserUrl: await page.firstUserLink() };
}
