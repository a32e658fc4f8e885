// The tests of the rails by example, in one file: a worker for each of them would be started for each mutant otherwise.
// Those with thousands of random cases (`rails-properties`) would only make it slower.
import '../domain/pix-key.test.ts';
import '../domain/rail-inference.test.ts';
import '../domain/rails-fingerprint.test.ts';
import '../domain/rails-words.test.ts';
import '../domain/rails.test.ts';
import '../domain/reference-text.test.ts';
import '../domain/swift-rails.test.ts';
