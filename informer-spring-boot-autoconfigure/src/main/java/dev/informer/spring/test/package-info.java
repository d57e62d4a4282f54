/**
 * For tests of applications with informers. Needs {@code informer-test}.
 */
@NullMarked
package dev.informer.spring.test;

import org.jspecify.annotations.NullMarked;
