package com.example.docs.testing;

import org.springframework.boot.autoconfigure.SpringBootApplication;

/**
 * The application that is tested.
 */
@SpringBootApplication
class PodNamesApplication {

}
