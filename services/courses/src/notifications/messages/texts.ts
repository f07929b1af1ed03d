import type { Kind, MessageKind } from '../domain/kinds.ts';
import type { Language } from '../domain/preferences.ts';

/** The texts of a message about one event. `{work}`, `{course}` and `{time}` are replaced. */
interface Notice {
  /** Does not contain the title and the course, which follow. */
  subject: string;
  text: string;
  /** Replaces the text above if there is a closing time. */
  textWithTime?: string;
  action: string;
}

/** The texts of messages in one language. `{…}` is replaced. */
export interface Texts {
  language: Language;
  direction: 'ltr' | 'rtl';
  notices: Record<Kind, Notice>;
  digest: { subject: string; text: string; more: string };
  greeting: string;
  greetingWithoutName: string;
  /** Why the person receives the message. */
  reason: string;
  settings: string;
  unsubscribe: string;
  unsubscribeFromDigest: string;
  /** The page that confirms the unsubscription. */
  page: {
    title: string;
    question: Record<MessageKind, string>;
    button: string;
    done: string;
    undo: string;
  };
}
