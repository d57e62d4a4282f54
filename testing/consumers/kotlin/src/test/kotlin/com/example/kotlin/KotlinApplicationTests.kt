/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.kotlin

import dev.informer.client.CustomResource
import dev.informer.spring.InformerHandler
import dev.informer.spring.InvalidHandlerMethodException
import dev.informer.spring.boot.test.AutoConfigureEmbeddedKubernetes
import dev.informer.spring.boot.test.EmbeddedKubernetesCustomizer
import dev.informer.test.EmbeddedKubernetes
import dev.informer.test.ResourceDefinition
import io.kubernetes.client.common.KubernetesObject
import io.kubernetes.client.openapi.models.V1ObjectMeta
import io.kubernetes.client.openapi.models.V1Pod
import java.time.Duration
import org.assertj.core.api.Assertions.assertThat
import org.assertj.core.api.Assertions.assertThatThrownBy
import org.awaitility.Awaitility.await
import org.junit.jupiter.api.Test
import org.springframework.beans.factory.annotation.Autowired
import org.springframework.boot.builder.SpringApplicationBuilder
import org.springframework.boot.test.context.SpringBootTest
import org.springframework.boot.test.context.TestConfiguration
import org.springframework.context.annotation.Bean

@SpringBootTest
@AutoConfigureEmbeddedKubernetes
class KotlinApplicationTests(
    @Autowired private val kubernetes: EmbeddedKubernetes,
    @Autowired private val tenants: Tenants
) {

    @Test
    fun `data class is a custom resource`() {
        create("acme", mapOf("plan" to "gold", "seats" to 5, "owners" to listOf("ann")))
        awaitEntry("acme has TenantSpec(plan=gold, seats=5, owners=[ann]) beside 0 pods")
        awaitEntry("ADDED acme")
        create("small", mapOf("seats" to 2))
        awaitEntry("small has TenantSpec(plan=free, seats=2, owners=[]) beside 0 pods")
        awaitEntry("ADDED small")
    }

    @Test
    fun `suspend function is rejected by name`() {
        assertThatThrownBy {
            SpringApplicationBuilder(KotlinApplication::class.java, Suspending::class.java)
                .properties("informer.auto-startup=false", "spring.main.web-application-type=none")
                .run()
                .close()
        }.isInstanceOf(InvalidHandlerMethodException::class.java)
            .hasMessageContaining("Method 'changed'")
            .hasMessageContaining("it is a suspend function")
    }

    @Test
    fun `class of a field without a default value is rejected by name`() {
        assertThatThrownBy {
            SpringApplicationBuilder(KotlinApplication::class.java, Shops::class.java)
                .properties("informer.auto-startup=false", "spring.main.web-application-type=none")
                .run()
                .close()
        }.hasStackTraceContaining("Shop.spec: the Kotlin class com.example.kotlin.KotlinApplicationTests\$ShopSpec has no")
            .hasStackTraceContaining("Give each parameter of its constructor a default value.")
    }

    private fun create(name: String, spec: Map<String, Any>) {
        kubernetes.create(
            mapOf(
                "apiVersion" to "example.com/v1",
                "kind" to "Tenant",
                "metadata" to mapOf("namespace" to "default", "name" to name),
                "spec" to spec
            )
        )
    }

    private fun awaitEntry(entry: String) {
        await().atMost(Duration.ofSeconds(30)).untilAsserted { assertThat(tenants.journal).contains(entry) }
    }

    @TestConfiguration(proxyBeanMethods = false)
    class Cluster {

        @Bean
        fun tenantResource() = EmbeddedKubernetesCustomizer { kubernetes ->
            kubernetes.addResource(ResourceDefinition.namespaced("example.com", "v1", "tenants", "Tenant"))
        }
    }

    class Suspending {

        @InformerHandler
        suspend fun changed(pod: V1Pod) {
            println(pod)
        }
    }

    @CustomResource(group = "example.com", version = "v1", plural = "shops")
    data class Shop(
        private var apiVersion: String? = null,
        private var kind: String? = null,
        private var metadata: V1ObjectMeta? = null,
        var spec: ShopSpec? = null
    ) : KubernetesObject {
        override fun getApiVersion() = apiVersion
        override fun getKind() = kind
        override fun getMetadata() = metadata
    }

    data class ShopSpec(val plan: String, val quotas: Map<String, Int> = emptyMap())

    class Shops {

        @InformerHandler
        fun changed(shop: Shop) {
            println(shop)
        }
    }
}
