/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Says which custom resource a class is the model of. The class implements
 * {@link io.kubernetes.client.common.KubernetesObject}, and its fields are named as in
 * the JSON, or carry Gson's {@link com.google.gson.annotations.SerializedName}.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface CustomResource {

	/**
	 * The API group, such as {@code example.com}.
	 * @return the group
	 */
	String group();

	/**
	 * The version within the group, such as {@code v1}.
	 * @return the version
	 */
	String version();

	/**
	 * The plural, as it stands in the path of the API.
	 * @return the plural
	 */
	String plural();

	/**
	 * The kind; the simple name of the class when left out.
	 * @return the kind
	 */
	String kind() default "";

	/**
	 * Whether the objects live in namespaces.
	 * @return whether the resource is namespaced
	 */
	boolean namespaced() default true;

}
