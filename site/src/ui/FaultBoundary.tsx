import { Component } from 'react';
import type { Elements } from 'react/jsx-runtime';
import { showFallback } from '#site/lib/fallback.ts';

/** Around every island: a fault while drawing shows the fallback screen instead of a hole in the page. */
export class FaultBoundary extends Component<{ children: Elements }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override componentDidCatch(fault: unknown) {
    showFallback(fault);
  }

  override render() {
    return this.state.failed ? null : this.props.children;
  }
}
