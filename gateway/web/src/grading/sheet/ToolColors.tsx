import { useTranslation } from '../../shared/language/useTranslation.ts';
import { ColorButtons } from './ColorButtons.tsx';
import { chooseColor, type MarkingTool, useChosenColor } from './chosenColors.ts';
import { englishOf } from './tools.ts';

/** Lets the grader choose the colour of a tool's new marks. */
export function ToolColors({ tool }: { tool: MarkingTool }) {
  const { t } = useTranslation();
  const { color } = useChosenColor(tool);
  return (
    // biome-ignore lint/a11y/useSemanticElements: it is not part of a form
    <div
      className="mark-bar"
      role="group"
      aria-label={t('Color of new marks: {tool}', { tool: t(englishOf(tool)) })}
    >
      <ColorButtons kind={tool} color={color} onChoose={(chosen) => chooseColor(tool, chosen)} />
    </div>
  );
}
