/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Declaration of the custom resource that a class is the model of. The class implements
 * {@link io.kubernetes.client.common.KubernetesObject}. Its fields have the names of the
 * JSON properties, or are annotated with Gson's
 * {@link com.google.gson.annotations.SerializedName} or Jackson's {@code @JsonProperty}.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface CustomResource {

	/**
	 * Return the API group, such as {@code example.com}.
	 * @return the group
	 */
	String group();

	/**
	 * Return the version within the group, such as {@code v1}: lowercase letters, digits
	 * and dashes.
	 * @return the version
	 */
	String version();

	/**
	 * Return the plural name, as used in API paths: lowercase letters, digits and dashes.
	 * @return the plural
	 */
	String plural();

	/**
	 * Return the kind, by default the simple name of the class.
	 * @return the kind
	 */
	String kind() default "";

	/**
	 * Return whether the resource is namespaced: {@code false} if {@code spec.scope} of
	 * its CustomResourceDefinition is {@code Cluster}. Namespaces of an informer of a
	 * cluster-scoped resource are rejected.
	 * @return whether the resource is namespaced; by default {@code true}
	 */
	boolean namespaced() default true;

}
