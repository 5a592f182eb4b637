import { Component } from 'react';
import type { Elements } from 'react/jsx-runtime';
import { scrollPage } from '#site/jobs/scroll-page.ts';

type Props = Readonly<{ children: Elements }>;
type Seen = Readonly<{ job: Element; top: number }>;

/** Holds the jobs in sight where they are when one comes in above them: the page is scrolled by as much as it is tall. */
export class Steady extends Component<Props> {
  override componentDidMount(): void {
    // Chrome would scroll as well, though not at the top of a page, and Safari never does.
    document.documentElement.dataset['steady'] = '';
  }

  override getSnapshotBeforeUpdate(): Seen | null {
    // Who types looks at the field, which stands above the jobs.
    if (document.activeElement?.matches('input')) return null;
    for (const job of document.querySelectorAll('main [data-job]')) {
      const { top, bottom } = job.getBoundingClientRect();
      if (bottom > 0) return { job, top };
    }
    return null;
  }

  override componentDidUpdate(_: Props, __: unknown, seen: Seen | null): void {
    if (!seen?.job.isConnected) return;
    const by = seen.job.getBoundingClientRect().top - seen.top;
    if (by > 0) scrollPage(by);
  }

  override render() {
    return this.props.children;
  }
}
