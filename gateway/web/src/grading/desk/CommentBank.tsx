import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useContext, useState } from 'react';
import {
  Button,
  ComboBox,
  ComboBoxStateContext,
  Input,
  Label,
  ListBox,
  ListBoxItem,
  Popover,
} from 'react-aria-components';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { Icon } from '../../shared/ui/icons.tsx';
import { commentsQuery } from '../queue/gradingQueries.ts';
import { addComment, countUse } from '../queue/gradingRequests.ts';

interface Props {
  courseId: number | undefined;
  comment: string;
  onInsert(text: string): void;
}

/** The grader's own comments, most used first. */
export function CommentBank({ courseId, comment, onInsert }: Props) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const [typed, setTyped] = useState('');
  const comments = useQuery(commentsQuery(courseId, ''));
  const [statusText, setStatusText] = useState('');
  const wanted = typed.trim().toLocaleLowerCase();
  const found = (comments.data ?? []).filter(({ text }) => text.toLocaleLowerCase().includes(wanted));
  const isKnown = comments.data?.some(({ text }) => text === comment.trim()) ?? false;

  const insert = (id: string | number | null) => {
    const chosen = comments.data?.find((each) => each.id === id);
    setTyped('');
    if (!chosen) return;
    onInsert(chosen.text);
    // A lost count affects only the order of the comments.
    countUse(chosen.id).catch(() => {});
  };

  const keep = async () => {
    try {
      await addComment(comment.trim(), courseId ?? null);
      setStatusText(t('Added to your comments.'));
      await queryClient.invalidateQueries({ queryKey: ['comments'] });
    } catch {
      setStatusText(t('The comment could not be saved. Try again.'));
    }
  };

  return (
    <div className="comment-bank">
      <ComboBox
        className="field"
        inputValue={typed}
        onInputChange={setTyped}
        selectedKey={null}
        onSelectionChange={insert}
        items={found}
        allowsEmptyCollection
      >
        <Label>{t('Insert a comment')}</Label>
        <div className="combo">
          <SearchInput placeholder={t('Search your comments')} />
          <Button className="button plain icon">
            <Icon name="down" />
          </Button>
        </div>
        <Popover className="popover">
          <ListBox
            className="menu"
            items={found}
            renderEmptyState={() => <p className="menu-heading">{t('You have no saved comments yet.')}</p>}
          >
            {({ id, text }: { id: number; text: string }) => (
              <ListBoxItem id={id} textValue={text} className="menu-item">
                <span className="written">{text}</span>
              </ListBoxItem>
            )}
          </ListBox>
        </Popover>
      </ComboBox>
      {comment.trim() !== '' && !isKnown && (
        <Button className="button plain small" onPress={() => void keep()}>
          {t('Add to my comments')}
        </Button>
      )}
      {statusText !== '' && <p className="quiet small">{statusText}</p>}
    </div>
  );
}

/** Opens the list when the field is clicked or typed in, but not on Tab, because it would cover the form. */
function SearchInput({ placeholder }: { placeholder: string }) {
  const state = useContext(ComboBoxStateContext);
  // Scrolling closes the list, and the scroll event of bringing the field into view may arrive after the click.
  const open = () => requestAnimationFrame(() => state?.open(null, 'manual'));
  return <Input className="input" placeholder={placeholder} onClick={open} />;
}
