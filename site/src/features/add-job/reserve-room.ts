import { makeRoom, opensForm } from './form-open.ts';

// It stands in the head of `/jobs/new`, so that the list never moves aside for a form that comes later.
makeRoom(opensForm(location.search));
