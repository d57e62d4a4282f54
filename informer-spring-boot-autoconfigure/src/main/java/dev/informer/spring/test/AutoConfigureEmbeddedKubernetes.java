/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.boot.autoconfigure.ImportAutoConfiguration;

/**
 * Starts an embedded Kubernetes API server with the context of a test, and connects the
 * informers to it, whatever the application's own connection is. The test has it
 * injected:
 *
 * <pre class="code">
 * &#064;SpringBootTest
 * &#064;AutoConfigureEmbeddedKubernetes
 * class ShopTests {
 *
 *     &#064;Autowired
 *     EmbeddedKubernetes kubernetes;
 *
 * }
 * </pre>
 * <p>
 * Also for slices such as {@code @WebMvcTest}, which get informers by it, and for classes
 * that {@code SpringApplication.from(...).with(...)} adds at development time. Tests with
 * the same context share the server; give each a namespace of its own. It is started
 * empty but for the usual namespaces: what the application has to find when it starts is
 * created by an {@link EmbeddedKubernetesCustomizer}. An {@code ApiClient} bean of the
 * application is not changed.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@ImportAutoConfiguration
public @interface AutoConfigureEmbeddedKubernetes {

}
