/**
 * Informers that tests control.
 */
@NullMarked
package dev.informer.spring.support;

import org.jspecify.annotations.NullMarked;
