import { useWords } from '../../shared/language/text.ts';
import { ColorButtons } from './ColorButtons.tsx';
import { chooseColor, type MarkingTool, useChosenColor } from './chosenColors.ts';
import { englishOf } from './tools.ts';

/** The colour in which a tool marks, until another is chosen. */
export function ToolColors({ tool }: { tool: MarkingTool }) {
  const { t } = useWords();
  const { color } = useChosenColor(tool);
  return (
    // biome-ignore lint/a11y/useSemanticElements: it is no part of a form
    <div
      className="mark-bar"
      role="group"
      aria-label={t('Color of new marks: {tool}', { tool: t(englishOf(tool)) })}
    >
      <ColorButtons kind={tool} color={color} onChoose={(chosen) => chooseColor(tool, chosen)} />
    </div>
  );
}
