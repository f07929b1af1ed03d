import { createHash } from 'node:crypto';
import type { Fact } from '../data/factRepository.ts';
import { maxListed } from '../data/factRepository.ts';
import type { MessageKind } from '../domain/kinds.ts';
import type { Preferences } from '../domain/preferences.ts';
import { unsubscribeToken } from '../domain/unsubscribeToken.ts';
import { buttonLink, escapeHtml, heading, htmlMessage, isolated, note, paragraph, textLink } from './html.ts';
import { pageOf } from './pageOf.ts';
import { plainLine } from './plainLine.ts';
import type { Texts } from './texts.ts';
import { texts } from './textsByLanguage.ts';

/** The name of the school in messages. */
export interface School {
  /** `PUBLIC_URL`. */
  url: string;
  timeZone: string;
}

interface Recipient extends Pick<Preferences, 'language'> {
  userId: number;
  name: string;
  email: string;
  unsubscribeKey: string;
}

interface Content {
  kind: MessageKind;
  /** The key of the message, from which its Message-ID is derived. */
  key: string;
  /** A single fact, unless the message is a digest. */
  facts: Fact[];
  /** How many facts a digest has in addition to `facts`. */
  more: number;
}

const titleLength = 150;

/** Composes a message for nodemailer. It names no grade, no comment and no other person. */
export function composeMessage(school: School, recipient: Recipient, content: Content) {
  const { kind, key, facts } = content;
  const t = texts[recipient.language];
  const [first] = facts;
  if (!first) throw new Error('a message needs something to say');
  const subject = kind === 'digest' ? t.digest.subject : subjectOf(t, first);
  const { host, hostname } = new URL(school.url);
  const token = unsubscribeToken({ userId: recipient.userId, kind }, recipient.unsubscribeKey);
  const unsubscribe = `${school.url}/api/v3/notifications/unsubscribe?token=${token}`;
  const links = [
    { url: `${school.url}/account`, label: t.settings },
    { url: unsubscribe, label: kind === 'digest' ? t.unsubscribeFromDigest : t.unsubscribe },
  ];
  const name = plainLine(recipient.name, titleLength);
  const sentences = kind === 'digest' ? digestParts(school, t, content) : noticeParts(school, t, first);
  const greeting = name === '' ? t.greetingWithoutName : t.greeting;
  return {
    to: { name, address: recipient.email },
    subject,
    messageId: `<${createHash('sha256').update(`${recipient.userId} ${key} ${host}`).digest('hex').slice(0, 40)}@${hostname}>`,
    list: { unsubscribe: { url: unsubscribe } },
    headers: {
      'Auto-Submitted': 'auto-generated',
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    },
    text: [
      fill(greeting, { name }),
      ...sentences.text,
      ['-- ', t.reason, ...links.map(({ url, label }) => `${label}: ${url}`)].join('\n'),
    ].join('\n\n'),
    html: htmlMessage(t, subject, [
      heading(1, subject),
      paragraph(fill(escapeHtml(greeting), { name: isolated(name) })),
      ...sentences.html,
      note(t.reason, links),
    ]),
  };
}

const workOf = ({ title }: Fact): string => plainLine(title, titleLength);
const courseOf = ({ courseTitle }: Fact): string => plainLine(courseTitle, titleLength);

const subjectOf = ({ notices }: Texts, fact: Fact): string =>
  `${notices[fact.kind].subject}: ${workOf(fact)} – ${courseOf(fact)}`;

interface Parts {
  text: string[];
  html: string[];
}

function noticeParts(school: School, t: Texts, fact: Fact, link = buttonLink): Parts {
  const { text, textWithTime, action } = t.notices[fact.kind];
  const sentence = (fact.closesAt && textWithTime) || text;
  const time = fact.closesAt ? timeIn(t, school.timeZone, fact.closesAt) : '';
  const values = { work: workOf(fact), course: courseOf(fact), time };
  const url = school.url + pageOf(fact);
  return {
    text: [fill(sentence, values), `${action}: ${url}`],
    html: [paragraph(fill(escapeHtml(sentence), mapValues(values, isolated))), link(url, action)],
  };
}

function digestParts(school: School, t: Texts, { facts, more }: Content): Parts {
  const byKind = Map.groupBy(facts.slice(0, maxListed), ({ kind }) => kind);
  const parts = [...byKind].map(([kind, ofKind]) => {
    const title = t.notices[kind].subject;
    const notices = ofKind.map((fact) => noticeParts(school, t, fact, textLink));
    return {
      text: [title, ...notices.map(({ text }) => text.join('\n'))].join('\n\n'),
      html: [heading(2, title), ...notices.flatMap(({ html }) => html)],
    };
  });
  const rest = more > 0 ? [fill(t.digest.more, { count: String(more) })] : [];
  return {
    text: [t.digest.text, ...parts.map(({ text }) => text), ...rest],
    html: [
      paragraph(escapeHtml(t.digest.text)),
      ...parts.flatMap(({ html }) => html),
      ...rest.map((each) => paragraph(escapeHtml(each))),
    ],
  };
}

const timeIn = ({ language }: Texts, timeZone: string, time: Date): string =>
  new Intl.DateTimeFormat(language === 'ar' ? 'ar' : 'en-GB', {
    ...{ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' },
    ...{ hour: '2-digit', minute: '2-digit', timeZone, timeZoneName: 'short' },
  }).format(time);

// The values themselves may contain braces.
const fill = (template: string, values: Record<string, string>): string =>
  template.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '');

const mapValues = (values: Record<string, string>, change: (value: string) => string) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]));
