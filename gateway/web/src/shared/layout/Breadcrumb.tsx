import { createLink } from '@tanstack/react-router';
import type { ComponentProps } from 'react';
import { Icon } from '../ui/icons.tsx';

function BreadcrumbAnchor({ children, ...anchor }: ComponentProps<'a'>) {
  return (
    <a {...anchor} className="breadcrumb">
      <Icon name="back" />
      {children}
    </a>
  );
}

/** A link to the page above the current one. */
export const Breadcrumb = createLink(BreadcrumbAnchor);
