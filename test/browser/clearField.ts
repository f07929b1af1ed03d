import type { Locator } from 'playwright-core';

/** Presses "Clear" beside a field. All these buttons have the same name; the label of the field describes each. */
export async function clearField(form: Locator, label: string): Promise<void> {
  const id = await form.getByText(label, { exact: true }).getAttribute('id');
  await form.locator(`button[aria-describedby="${id}"]`).click();
}
