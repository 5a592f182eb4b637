// The schedule opens at today: the scroll position that the browser restores would move it.
history.scrollRestoration = 'manual';
