import type { AddressScene, Visitor } from './addresses.ts';
import type { Window } from './openWindow.ts';

type Places = AddressScene['scene'];

interface Overlay {
  visitor: Exclude<Visitor, 'nobody'>;
  path(scene: Places): string;
  /** In English. `{…}` matches any text. */
  button: string;
  /**
   * The part that axe checks instead of the whole page. While a list is open, React Aria hides everything but the field
   * and the list from screen readers, and the focus cannot leave the field.
   */
  only?: string;
  /** A request of the overlay that is expected to fail. */
  refused?: readonly [status: number, path: RegExp];
}

const course = ({ courseId }: Places) => `/console/courses/${courseId}`;
const tab = (name: string) => (scene: Places) => `${course(scene)}?tab=${name}`;
const user = ({ grader }: Places) => `/console/users/${grader.id}`;
const webhook = ({ webhookId }: Places) => `/console/webhooks/${webhookId}`;

const of = (visitor: Overlay['visitor'], path: Overlay['path'], ...buttons: string[]): Overlay[] =>
  buttons.map((button) => ({ visitor, path, button }));

/** Every dialog, menu and list that a button or a field opens. Dialogs that need more steps are checked in the tests of those steps. */
export const overlays: Overlay[] = [
  ...of('instructor', ({ deskPath }) => deskPath(1), 'Theme and language', 'Account', 'History'),
  {
    visitor: 'instructor',
    path: ({ deskPath }) => deskPath(1),
    button: 'Insert a comment',
    only: '.popover',
  },
  ...of('instructor', ({ courseId }) => `/courses/${courseId}`, 'New quiz', 'New homework'),
  {
    visitor: 'instructor',
    path: ({ courseId }) => `/courses/${courseId}/students`,
    button: 'Accommodation of {name}',
    refused: [404, /\/accommodations\/\d+$/],
  },
  ...of(
    'instructor',
    ({ courseId }) => `/courses/${courseId}/team`,
    'Add an instructor',
    'Change the role of {name}',
    'Remove {name}',
  ),
  ...of('instructor', ({ path }) => `${path}/settings`, 'Copy', 'Delete'),
  ...of('instructor', ({ path }) => `${path}/questions`, 'Delete the rubric'),
  ...of('instructor', ({ path }) => `${path}/everyone`, 'Hand in for this student'),
  ...of('admin', () => '/console/courses', 'New course'),
  ...of('admin', course, 'Edit', 'Delete', 'New quiz', 'Edit {title}', 'Delete {title}'),
  ...of('admin', tab('classes'), 'New class'),
  ...of('admin', tab('students'), 'Add a student', 'Payment of {name}', 'Remove {name}'),
  ...of('admin', tab('instructors'), 'Add an instructor', 'Remove {name}'),
  ...of('admin', () => '/console/users', 'New user'),
  ...of('admin', user, 'Block', 'Delete the account', 'Erase personal data'),
  ...of('admin', () => '/console/webhooks', 'New webhook'),
  ...of('admin', webhook, 'Edit', 'Replace the secret', 'Disable', 'Delete', 'Replay failed deliveries'),
  ...of('admin', () => '/console/service-accounts', 'New service account'),
  ...of('admin', () => '/console/audit', 'Details of entry {id}'),
];

/** Opens a dialog, menu or list of the current page. */
export async function openOverlay({ page, t, watch }: Window, { button, refused }: Overlay): Promise<void> {
  if (refused) watch.allowFailure(...refused);
  const [before = '', after = ''] = t(button).split(/\{\w+\}/);
  const isExact = !button.includes('{');
  const name = isExact ? before : new RegExp(`^${escaped(before)}.+${escaped(after)}$`);
  const named = { name, exact: isExact };
  const opener = page.getByRole('button', named).or(page.getByRole('combobox', named));
  // The account button is named after the user.
  const field = button === 'Account' ? page.locator('.user-button') : opener.first();
  await field.scrollIntoViewIfNeeded();
  // Scrolling closes a list, even if the scroll event arrives after the click.
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  await field.click();
  await page.locator('[role=dialog], [role=alertdialog], [role=menu], [role=listbox]').first().waitFor();
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
