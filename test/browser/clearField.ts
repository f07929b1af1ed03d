import type { Locator } from 'playwright-core';

/** Presses "Clear" beside a field. All of these buttons have the same name; `aria-describedby` refers to the field's label. */
export async function clearField(form: Locator, label: string): Promise<void> {
  const id = await form.getByText(label, { exact: true }).getAttribute('id');
  await form.locator(`button[aria-describedby="${id}"]`).click();
}
