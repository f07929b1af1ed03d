import type { Rubric } from '../queue/gradingTypes.ts';

/** The texts of the rubric items that apply. */
export function ChosenItems({ rubric, selection }: { rubric: Rubric | null; selection: readonly number[] }) {
  const chosen = rubric?.items.filter(({ id }) => selection.includes(id)) ?? [];
  if (chosen.length === 0) return null;
  return (
    <ul className="grading-items small">
      {chosen.map(({ id, text }) => (
        <li key={id} className="written">
          {text}
        </li>
      ))}
    </ul>
  );
}
