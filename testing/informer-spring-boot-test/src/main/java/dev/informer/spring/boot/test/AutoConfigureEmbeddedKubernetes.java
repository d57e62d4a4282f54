/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.boot.autoconfigure.ImportAutoConfiguration;

/**
 * Annotation that starts an embedded Kubernetes API server with the context of a test and
 * connects the informers to it in place of the application's own connection. The server
 * can be injected into the test:
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
 * It also adds informers to test slices such as {@code @WebMvcTest}, and can be placed on
 * a class that {@code SpringApplication.from(...).with(...)} adds at development time.
 * Tests with the same context share the server; give the objects of each test different
 * names. The server starts with the default namespaces only. Use an
 * {@link EmbeddedKubernetesCustomizer} to create objects before the application starts.
 * An {@code ApiClient} bean of the application is not changed.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@ImportAutoConfiguration
public @interface AutoConfigureEmbeddedKubernetes {

}
