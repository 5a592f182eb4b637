import { configure } from 'arktype/config';

// Schemas are walked instead of compiled to functions: to compile them all is a quarter of what the start of a process takes, and
// an event is checked in 2 µs either way. To be imported before what has schemas. Routes compile theirs at their first request.
configure({ jitless: true });
