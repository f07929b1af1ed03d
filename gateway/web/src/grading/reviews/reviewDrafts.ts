const keyOf = (id: number) => `gradeway.review.${id}`;

/** Returns the answer to a review that this tab has not sent. It survives a reload. */
export function readAnswer(id: number): string {
  try {
    return sessionStorage.getItem(keyOf(id)) ?? '';
  } catch {
    return '';
  }
}

export function keepAnswer(id: number, answer: string): void {
  try {
    if (answer === '') sessionStorage.removeItem(keyOf(id));
    else sessionStorage.setItem(keyOf(id), answer);
  } catch {
    // If the storage is full, only the field holds the answer.
  }
}
