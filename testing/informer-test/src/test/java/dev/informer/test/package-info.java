@NullMarked
package dev.informer.test;

import org.jspecify.annotations.NullMarked;
