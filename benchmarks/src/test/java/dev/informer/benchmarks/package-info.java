@NullMarked
package dev.informer.benchmarks;

import org.jspecify.annotations.NullMarked;
