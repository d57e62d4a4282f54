/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test.cluster;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Marks tests that run against a real API server, tags them {@code real-server}, and
 * gives a {@link RealServer} to a parameter of theirs. The server comes from the first of
 * <ol>
 * <li>the environment variable {@code KUBEBUILDER_ASSETS}, a folder with
 * {@code kube-apiserver} and {@code etcd}, which are started on free ports,</li>
 * <li>Testcontainers, where Docker answers and has the image that the system property
 * {@code informer.test.k3s-image} or the environment variable
 * {@code INFORMER_TEST_K3S_IMAGE} names, by default a genuine k3s; it is never
 * pulled.</li>
 * </ol>
 * Without either the tests are skipped and one line of the log says so; where the
 * environment variable {@code INFORMER_TEST_REAL_SERVER} is {@code required}, they fail.
 * <p>
 * One server of a kind serves all tests of a JVM and ends with them, so that each test
 * class has to keep to a namespace of its own. It is started when the first test asks for
 * it. Its user {@code tester} may do only what a test grants through RBAC.
 */
@Target({ ElementType.TYPE, ElementType.METHOD })
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@Tag("real-server")
@ExtendWith(RealKubernetesExtension.class)
public @interface RealKubernetes {

	/**
	 * What the server has to be. Where there is no such server, the tests are skipped.
	 * @return the requirement, by default any real server
	 */
	RequiredServer value() default RequiredServer.ANY;

	/**
	 * Whether the annotated class or method gets a server that it shares with no other:
	 * for tests that kill or freeze it, or leave it changed.
	 * @return {@code true} for a server of its own
	 */
	boolean own() default false;

	/**
	 * Flags of kube-apiserver, for instance {@code feature-gates=WatchList=false}. Makes
	 * the server an own one and a {@link ControlPlane}.
	 * @return flags as {@code name=value}, without leading dashes
	 */
	String[] apiServerFlags() default {};

}
