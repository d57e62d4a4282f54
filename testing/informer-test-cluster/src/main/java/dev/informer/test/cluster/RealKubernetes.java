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
 * Annotation for tests against a real API server, tagged {@code real-server}. Resolves
 * parameters of type {@link RealServer}. The server is the first of
 * <ol>
 * <li>{@code kube-apiserver} and {@code etcd} from the folder in the environment variable
 * {@code KUBEBUILDER_ASSETS}, started on free ports,</li>
 * <li>a container, if Docker is available and has the image named by the system property
 * {@code informer.test.k3s-image} or the environment variable
 * {@code INFORMER_TEST_K3S_IMAGE}. The default is a k3s image. Images are never
 * pulled.</li>
 * </ol>
 * Without either the tests are skipped with one log line, or fail if the environment
 * variable {@code INFORMER_TEST_REAL_SERVER} is {@code required}.
 * <p>
 * All tests of a JVM share one server of each kind, which starts on demand. Each test
 * class must use a separate namespace. The user {@code tester} has only the rights that a
 * test grants through RBAC.
 */
@Target({ ElementType.TYPE, ElementType.METHOD })
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@Tag("real-server")
@ExtendWith(RealKubernetesExtension.class)
public @interface RealKubernetes {

	/**
	 * Required server. Without such a server the tests are skipped.
	 * @return the requirement, by default any real server
	 */
	RequiredServer value() default RequiredServer.ANY;

	/**
	 * Whether to start a separate server for the annotated class or method. Set this for
	 * tests that kill, freeze or permanently change the server.
	 * @return {@code true} for a separate server
	 */
	boolean own() default false;

	/**
	 * Flags of kube-apiserver, for instance {@code feature-gates=WatchList=false}.
	 * Implies a separate {@link ControlPlane}.
	 * @return flags as {@code name=value}, without leading dashes
	 */
	String[] apiServerFlags() default {};

}
