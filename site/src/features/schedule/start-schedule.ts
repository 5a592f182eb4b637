// The schedule opens at today: what the browser remembers of an earlier visit would move it.
history.scrollRestoration = 'manual';
