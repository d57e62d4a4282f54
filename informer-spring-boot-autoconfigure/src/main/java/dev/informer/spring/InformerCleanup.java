/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.aot.hint.annotation.Reflective;

/**
 * Annotation for a method that cleans up for a primary object that is being deleted:
 * <pre class="code">
 * &#064;InformerCleanup("example.com/tenant")
 * void remove(Tenant tenant)
 * </pre> The method belongs to the {@link InformerReconciler} method of the same bean
 * with the same primary object, and takes the same parameters. The finalizer is added
 * before the first call of the reconciler. It is removed when this method has returned
 * {@code null} or has no result; with a {@link java.time.Duration} it stays, and the
 * method is called again after that time. A call that throws is repeated as one of the
 * reconciler.
 * <p>
 * An object that leaves the selectors of the informer is as good as deleted for its
 * reconciler, so it is cleaned up, too, unless
 * {@link InformerReconciler#cleanupUnselected()} is {@code false}. It has no deletion
 * timestamp then, and lives on.
 * <p>
 * Without such a method, nothing is called for an object that is being deleted.
 */
@Documented
@Reflective
@Retention(RetentionPolicy.RUNTIME)
@Target({ ElementType.METHOD, ElementType.ANNOTATION_TYPE })
public @interface InformerCleanup {

	/**
	 * Finalizer of the primary objects, a domain and a name, such as
	 * {@code example.com/tenant}. May contain <code>${...}</code> placeholders.
	 * @return the finalizer
	 */
	String value();

	/**
	 * ID of the reconciler, if several of the same bean have the same primary object.
	 * @return the ID
	 */
	String reconciler() default "";

}
