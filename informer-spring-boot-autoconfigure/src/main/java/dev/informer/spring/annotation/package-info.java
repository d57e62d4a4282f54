/**
 * What users put on their methods.
 */
@NullMarked
package dev.informer.spring.annotation;

import org.jspecify.annotations.NullMarked;
