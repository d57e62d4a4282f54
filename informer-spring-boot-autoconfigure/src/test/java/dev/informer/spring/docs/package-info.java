/**
 * Holds the documentation to the truth.
 */
@NullMarked
package dev.informer.spring.docs;

import org.jspecify.annotations.NullMarked;
