import type { ReactNode } from 'react';

interface Props {
  id: string;
  title: string;
  /** Shown below the title. */
  about?: ReactNode;
  /** The button beside the title. */
  action: ReactNode;
  children: ReactNode;
}

/** A titled part of a page. */
export function Section({ id, title, about, action, children }: Props) {
  return (
    <section className="section" aria-labelledby={id}>
      <div className="section-header">
        <div>
          <h2 id={id}>{title}</h2>
          {about}
        </div>
        {action}
      </div>
      {children}
    </section>
  );
}
