// Measures the web application in Chromium: the next sheet and the next answer, the memory of the tab, the table of 100,000 submissions, what a page
// loads, and Lighthouse's scores. SHEETS is the number of sheets for the memory; WEB names parts to measure alone, as in
// `WEB=next,memory`.
import type { Row } from '../support/measuring/row.ts';
import { runParts } from '../support/measuring/runParts.ts';
import { measureFirstLoad } from '../support/web/firstLoad.ts';
import { measureLargeTable } from '../support/web/largeTable.ts';
import { measureScores } from '../support/web/lighthouse.ts';
import {
  answersNeeded,
  measureNextAnswer,
  measureNextSheet,
  sheetsNeeded,
} from '../support/web/nextSheet.ts';
import { pagesOf, type WebPage } from '../support/web/pages.ts';
import { photographPages, scanOf } from '../support/web/scan.ts';
import { newGradedQuiz, startScene, type WebScene } from '../support/web/scene.ts';
import { measureTabMemory } from '../support/web/tabMemory.ts';

const sheets = Number(process.env.SHEETS ?? 500);
/** Four pages of 0.9 MB are a scan of 3.6 MB. */
const scan = { pages: 4, bytes: 900_000 };
/** Two smaller pages, so that many students fit on the disk. */
const smallScan = { pages: 2, bytes: 250_000 };

const parts: Record<string, (scene: WebScene) => Promise<Row[]>> = {
  next: async (scene) => measureNextSheet(scene, await quizOfScans(scene, sheetsNeeded, scan)),
  question: async (scene) => measureNextAnswer(scene, await quizOfScans(scene, answersNeeded, scan, true)),
  memory: async (scene) => measureTabMemory(scene, await quizOfScans(scene, sheets + 2, smallScan), sheets),
  table: measureLargeTable,
  load: async (scene) => measureFirstLoad(scene, await pagesToOpen(scene)),
  lighthouse: async (scene) => measureScores(scene, await pagesToOpen(scene)),
};

export async function run(): Promise<Row[]> {
  const scene = await startScene(Math.max(sheets + 2, sheetsNeeded));
  const versions = { chromium: scene.browser.version() };
  try {
    const rows = await runParts('WEB', parts, scene);
    return rows.map((row) => ({ ...row, versions }));
  } finally {
    await scene.stop();
  }
}

async function quizOfScans(
  scene: WebScene,
  count: number,
  { pages, bytes }: typeof scan,
  isByQuestion = false,
): Promise<number> {
  const pictures = await photographPages(scene.browser, pages, bytes);
  const pdfOf = (index: number) => scanOf(pictures, `Student ${index + 1}`);
  return newGradedQuiz(scene, { count, pdfOf, isByQuestion });
}

async function pagesToOpen(scene: WebScene): Promise<WebPage[]> {
  const quizId = await quizOfScans(scene, 5, smallScan);
  const admin = await scene.school.fixtures.asAdmin();
  const { data } = (await admin.get(`/api/v3/grading/quizzes/${quizId}/submissions`)).body;
  return pagesOf(scene, quizId, data[0].id);
}
