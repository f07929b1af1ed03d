import { Button, Toolbar } from 'react-aria-components';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { ToolIcon, type ToolIconName } from '../../shared/ui/toolIcons.tsx';
import type { MarkChange, MarkHistory } from './markHistory.ts';
import { type Tool, toolbarTools } from './tools.ts';
import type { Zoom } from './zoom.ts';

interface Props {
  history: MarkHistory;
  onChange(change: MarkChange): void;
  tool: Tool | undefined;
  onTool(tool: Tool | undefined): void;
  zoom: Zoom;
  onZoom(by: 'in' | 'out' | 'fit' | 'page'): void;
  onRotate(): void;
}

export function SheetToolbar({ history, onChange, tool, onTool, zoom, onZoom, onRotate }: Props) {
  const { t } = useTranslation();
  return (
    <div className="sheet-toolbar">
      <Toolbar aria-label={t('Annotations')} className="toolbar">
        {toolbarTools.map(({ tool: each, english, icon }) => (
          <Button
            key={each}
            className="button plain icon"
            aria-label={t(english)}
            aria-pressed={tool === each}
            onPress={() => onTool(tool === each ? undefined : each)}
          >
            <ToolIcon name={icon} />
          </Button>
        ))}
        <ToolButton
          name={t('Undo')}
          icon="undo"
          isDisabled={history.past.length === 0}
          onPress={() => onChange({ do: 'undo' })}
        />
        <ToolButton
          name={t('Redo')}
          icon="redo"
          isDisabled={history.future.length === 0}
          onPress={() => onChange({ do: 'redo' })}
        />
      </Toolbar>
      <Toolbar aria-label={t('View')} className="toolbar">
        <ToolButton name={t('Zoom out')} icon="minus" onPress={() => onZoom('out')} />
        <ToolButton name={t('Zoom in')} icon="plus" onPress={() => onZoom('in')} />
        <ToolButton name={t('Fit')} icon="fit" isPressed={zoom === 'fit'} onPress={() => onZoom('fit')} />
        <ToolButton
          name={t('Whole page')}
          icon="page"
          isPressed={zoom === 'page'}
          onPress={() => onZoom('page')}
        />
        <ToolButton name={t('Rotate')} icon="rotate" onPress={onRotate} />
      </Toolbar>
    </div>
  );
}

interface ToolButtonProps {
  name: string;
  icon: ToolIconName;
  isDisabled?: boolean;
  isPressed?: boolean;
  onPress(): void;
}

function ToolButton({ name, icon, isDisabled = false, isPressed, onPress }: ToolButtonProps) {
  return (
    <Button
      className="button plain icon"
      aria-label={name}
      aria-pressed={isPressed}
      isDisabled={isDisabled}
      onPress={onPress}
    >
      <ToolIcon name={icon} />
    </Button>
  );
}
