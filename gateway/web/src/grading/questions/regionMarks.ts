import type { Annotation } from '../queue/gradingTypes.ts';
import type { Region } from '../queue/questionTypes.ts';
import type { MarkChange } from '../sheet/markHistory.ts';
import type { QuestionForm } from './outlineForm.ts';

/** The question PDF is the only file. */
export const questionsFile = 1;

/** The button that starts drawing gets the focus back. */
export const drawButtonId = (key: string): string => `draw-${key}`;

/** Returns the regions of questions as highlights, so that the tools of answer sheets draw and move them. */
export const regionMarks = (form: QuestionForm[]): Annotation[] =>
  form.flatMap(({ key, label, region }): Annotation[] =>
    region
      ? [
          {
            ...{ id: key, file_id: questionsFile, page: region.page, kind: 'highlight', rect: region.rect },
            ...{ points: null, text: label, color: null, item_id: null },
          },
        ]
      : [],
  );

/** Returns how a change to the marks affects the regions. A new mark is the region of the `drawn` question. */
export function regionChange(
  change: MarkChange,
  drawn: string | undefined,
): { key: string; region: Region | null } | undefined {
  if (change.do === 'remove') return { key: change.id, region: null };
  if (change.do !== 'add' && change.do !== 'move') return undefined;
  const { id, page, rect } = change.mark;
  const key = change.do === 'add' ? drawn : id;
  return key === undefined ? undefined : { key, region: { page, rect } };
}
