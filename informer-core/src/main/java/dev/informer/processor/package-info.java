/**
 * Tells the handlers.
 */
@NullMarked
package dev.informer.processor;

import org.jspecify.annotations.NullMarked;
