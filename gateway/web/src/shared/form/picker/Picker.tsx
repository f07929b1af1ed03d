import { useState } from 'react';
import { Button, ComboBox, Input, Label, ListBox, ListBoxItem, Popover } from 'react-aria-components';
import { Icon } from '../../ui/icons.tsx';
import './picker.css';

export interface PickerOption {
  id: number;
  name: string;
  about?: string;
}

interface Props {
  label: string;
  placeholder: string;
  /** Initial text. */
  text: string;
  find(text: string): PickerOption[];
  /** Shown when there are no options. */
  status: string;
  /** Called when the user edits the text, which clears an earlier choice. */
  onType?(text: string): void;
  onChoose(option: PickerOption): void;
}

/** A combo box that finds an option by part of its text. */
export function Picker({ label, placeholder, text, find, status, onType, onChoose }: Props) {
  const [typed, setTyped] = useState(text);
  const [chosen, setChosen] = useState<PickerOption>();
  // A preselected value does not filter: the user may want another one.
  const found = find(typed === text || typed === chosen?.name ? '' : typed.trim());

  const choose = (key: string | number | null) => {
    const option = found.find(({ id }) => id === key);
    if (!option) return;
    setChosen(option);
    setTyped(option.name);
    onChoose(option);
  };
  const type = (next: string) => {
    setTyped(next);
    // Choosing an option also writes its name into the field.
    if (next === typed || found.some(({ name }) => name === next)) return;
    setChosen(undefined);
    onType?.(next);
  };

  return (
    <ComboBox
      className="field picker"
      inputValue={typed}
      onInputChange={type}
      selectedKey={chosen?.id ?? null}
      onSelectionChange={choose}
      items={found}
      menuTrigger="focus"
      allowsEmptyCollection
      allowsCustomValue
    >
      <Label>{label}</Label>
      <div className="combo-input">
        <Input className="input" placeholder={placeholder} dir="auto" />
        <Button className="button plain icon">
          <Icon name="down" />
        </Button>
      </div>
      <Popover className="popover picker-popover">
        <ListBox
          className="menu"
          items={found}
          renderEmptyState={() => <p className="menu-heading">{status}</p>}
        >
          {({ id, name, about }: PickerOption) => (
            <ListBoxItem id={id} textValue={name} className="menu-item picker-option">
              <span className="written">{name}</span>
              {about !== undefined && <span className="quiet small">{about}</span>}
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </ComboBox>
  );
}
